/** Exact samplers and the random source: integers in, integers out, no floating point between. Plain Java. */
@MayUse({})
@NullMarked
package dev.purser.noise;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
