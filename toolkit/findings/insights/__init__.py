"""What is worth saying about a list of sites, found in all that is known of them."""
