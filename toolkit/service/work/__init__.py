"""From a question to the body of its answer: pages fetched, read by as many as are asked for, and kept for a while."""
