"""What travels between the service and who asks: bodies, answers, the interface's shapes, and faults on demand."""
