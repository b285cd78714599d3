"""What kind of page a page is, by its data, its address, its marks, what it sells and how it is worded."""
