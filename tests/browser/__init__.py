"""What only a browser shows: JupyterLab and its widgets in a real one, which the files of this folder share."""
