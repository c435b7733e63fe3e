/** Experiments and their jobs over HTTP. */
@NullMarked
package dev.purser.experiment.web;

import org.jspecify.annotations.NullMarked;
