"""One grid for every table: a frame's rows in the page, to be sorted, filtered, searched, copied and saved there."""
