"""The SegmentBuilder widget."""
