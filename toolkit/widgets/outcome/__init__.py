"""What the RunPanel shows of a run that ended: headlines, and tabs to look closer."""
