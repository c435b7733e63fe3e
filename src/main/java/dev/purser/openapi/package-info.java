/** The served description of the HTTP interface, and the pages that show it. */
@MayUse({"json", "privacy", "problem"})
@NullMarked
package dev.purser.openapi;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
