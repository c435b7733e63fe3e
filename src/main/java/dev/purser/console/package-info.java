/** Serves the console: the pages of the service for people, which speak its public API with the key they are given. */
@MayUse({})
@NullMarked
package dev.purser.console;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
