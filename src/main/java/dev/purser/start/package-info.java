/** How a start of the packaged service is made quick. */
@MayUse({"libc", "digest"})
@NullMarked
package dev.purser.start;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
