"""Published facts as files, with source, licence and hash beside them in ``sources.toml``."""
