"""What a page is about: content categories and web-filtering categories."""
