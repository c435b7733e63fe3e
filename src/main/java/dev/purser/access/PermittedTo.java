package dev.purser.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which roles an operation is for. Stands on every handler method that needs a key; one without it is closed to everyone but
 * administrators, and so is an empty list. It is asked before anything about the resource is looked at, so that a 403 never
 * depends on what exists.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface PermittedTo {
    /** The roles beside the administrator's, who may do everything. */
    Role[] value();
}
