"""The same list sent as jobs of the service, many domains each."""
