"""The service's words: what can be asked, what comes back, and what can be wrong. Nothing here sends or stores."""
