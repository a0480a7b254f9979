package models

import (
	"errors"
	"fmt"
)

// Code classifies an error that a user may see; the transports map it to a status in one table.
type Code string

// The codes of DECISIONS.md, "Keys, plans, limits, errors".
const (
	CodeUnauthorized     Code = "unauthorized"
	CodeForbidden        Code = "forbidden"
	CodeRateLimited      Code = "rate_limited"
	CodeInvalidParameter Code = "invalid_parameter"
	CodeInvalidRequest   Code = "invalid_request"
	CodeNotFound         Code = "not_found"
	CodeMethodNotAllowed Code = "method_not_allowed"
	CodeConflict         Code = "conflict"
	// CodePreconditionFailed is for a state that is not the one of If-Match any more.
	CodePreconditionFailed Code = "precondition_failed"

	CodePayloadTooLarge  Code = "payload_too_large"
	CodeUnsupportedMedia Code = "unsupported_media_type"
	CodeUnavailable      Code = "unavailable"
	CodeInternal         Code = "internal"
	// CodeCursorExpired is of GraphQL alone: /v1 follows no changes by cursor.
	CodeCursorExpired Code = "cursor_expired"
)

// Error is an error whose message a user may read. Every other error is internal: it is logged
// once at the border and shown only as CodeInternal.
type Error struct {
	Code    Code
	Message string // a sentence that says what to do; no personal data, no SQL
	Field   string // the parameter or member it speaks of, or empty
	// Names are the parameters and values that Message speaks of by their names, as /v1 writes them. When there are any,
	// Message is a format with one %s for each: the interfaces and pages have names of their own.
	Names []string

	kind error // what errors.Is finds, where a message names an id; or nil
}

// Error is the message with the names of /v1.
func (e *Error) Error() string { return e.Say(func(name string) string { return name }) }

// Unwrap returns the kind of the error, such as ErrNoSource, or nil.
func (e *Error) Unwrap() error { return e.kind }

// Say returns the message with the names that an interface has for parameters and values of /v1.
func (e *Error) Say(name func(string) string) string {
	if len(e.Names) == 0 {
		return e.Message
	}
	said := make([]any, len(e.Names))
	for i, n := range e.Names {
		said[i] = name(n)
	}
	return fmt.Sprintf(e.Message, said...)
}

// Invalid says that parameter field cannot be taken, and what would be. With names, message is a format (Error.Names).
func Invalid(field, message string, names ...string) *Error {
	return &Error{Code: CodeInvalidParameter, Message: message, Field: field, Names: names}
}

// ErrNoAccount, ErrNoKey and ErrNoAccountOrCase are for ids that lead to nothing. They are compared by errors.Is: the
// command line adds the command that lists the ids.
var (
	ErrNoAccount       = NotFound("there is no account with this id")
	ErrNoKey           = NotFound("there is no key with this id")
	ErrNoAccountOrCase = NotFound("there is no account with this id, or no such case")
)

// ErrNoSource and ErrNoReview are the kinds of errors whose messages name an id, for the command line too.
var (
	ErrNoSource = errors.New("no source has this id")
	ErrNoReview = errors.New("no record with this id waits for a review")
)

// NotFoundAs is NotFound of a kind that errors.Is finds.
func NotFoundAs(kind error, message string) *Error {
	return &Error{Code: CodeNotFound, Message: message, kind: kind}
}

// NotFound says that there is no such thing, or none that the caller may see.
func NotFound(message string) *Error { return &Error{Code: CodeNotFound, Message: message} }

// CodeOf is the code of err: its own when it is an *Error, CodeUnavailable when the database or the
// request's time ran out (asking again can succeed), else CodeInternal.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Code
	case unavailable(err):
		return CodeUnavailable
	}
	return CodeInternal
}
