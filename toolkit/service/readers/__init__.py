"""Who reads a page: interests, intents, demographics, firms and personas."""
