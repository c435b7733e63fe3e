package dev.purser.local;

/** A report of {@link Hybrid}: a sign or a point. Which of the two it is, is public. */
public sealed interface SignOrPoint permits Sign, Point {}
