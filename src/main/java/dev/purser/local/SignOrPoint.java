package dev.purser.local;

/** What {@link Hybrid} reports: either kind, and which of them is public. */
public sealed interface SignOrPoint permits Sign, Point {}
