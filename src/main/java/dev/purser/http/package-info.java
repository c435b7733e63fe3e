/**
 * How a request reaches its handler, and how lists, tables and events are sent. The body is admitted, what the handler
 * takes is made of the request, and the handler's signature says all of it.
 */
@MayUse({"admission", "json", "openapi", "problem", "store"})
@NullMarked
package dev.purser.http;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
