/** Collections over HTTP. */
@NullMarked
package dev.purser.collection.web;

import org.jspecify.annotations.NullMarked;
