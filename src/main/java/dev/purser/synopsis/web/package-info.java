/** Synopses over HTTP. */
@NullMarked
package dev.purser.synopsis.web;

import org.jspecify.annotations.NullMarked;
