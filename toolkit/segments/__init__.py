"""Which sites are wanted: a language for it, the sites that match, plans and files to hand over."""
