"""Files on the disk: SQLite databases that many open at a time, and files that are whole or not there."""
