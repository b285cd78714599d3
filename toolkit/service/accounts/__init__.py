"""What the service keeps of those who ask: keys, credits, jobs and notifications."""
