/** Serves the console: the pages for people, which call the public API with the key that a person enters. */
@MayUse({})
@NullMarked
package dev.purser.console;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
