"""What can be said of sites: frames in, frames out."""
