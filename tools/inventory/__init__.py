"""The concept inventory: questions on what people get wrong about tests, checked and printed."""
