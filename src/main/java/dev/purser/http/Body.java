package dev.purser.http;

import io.swagger.v3.oas.annotations.Parameter;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The parameter of a handler that takes the request's JSON body. A {@link BodyForm} of the parameter's type reads it. A
 * parameter of type {@link Sent} also gets the bytes that were sent. The body is the last parameter.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Parameter(hidden = true)
public @interface Body {
    /** The name of the form's bean; needed only if several forms are read to one type. */
    String value() default "";
}
