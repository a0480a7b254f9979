package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Codes of errors, as Error.Code has them, whether /v1 answered or GraphQL.
const (
	CodeUnauthorized     = "unauthorized"
	CodeForbidden        = "forbidden"
	CodeRateLimited      = "rate_limited"
	CodeInvalidParameter = "invalid_parameter"
	CodeInvalidRequest   = "invalid_request"
	CodeNotFound         = "not_found"
	CodeConflict         = "conflict"
	CodePayloadTooLarge  = "payload_too_large"
	CodeUnavailable      = "unavailable"
	CodeInternal         = "internal"
	// CodePreconditionFailed is for a state that is not the one of IfMatch any more.
	CodePreconditionFailed = "precondition_failed"
	// CodeCursorExpired is of Sync alone.
	CodeCursorExpired = "cursor_expired"
)

// Error is an answer of the service that is no success. errors.As finds it.
type Error struct {
	// Code is for programs, such as CodeNotFound.
	Code string
	// Message is for people: what went wrong and what to do.
	Message string
	// RequestID names the request in the logs of the service. Quote it when you report a problem.
	RequestID string
	// Status is that of HTTP. An error of GraphQL may come with 200.
	Status int
	// RetryAfter is how long to wait before another try; 0: the service did not say.
	RetryAfter time.Duration
	// Path is where in the answer of GraphQL the error occurred; empty for /v1.
	Path []any
	// Field is the argument or parameter that the error is about, where the service names it.
	Field string
}

// Error implements error.
func (e *Error) Error() string {
	if e.RequestID == "" {
		return fmt.Sprintf("rollcall: %s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("rollcall: %s: %s (request %s)", e.Code, e.Message, e.RequestID)
}

// errorOf reads an answer that is no success. A body that is not the service's, as of a proxy, becomes its status.
func errorOf(a answer) *Error {
	e := &Error{RequestID: a.header.Get("X-Request-Id"), Status: a.status, RetryAfter: retryAfter(a.header), Field: a.header.Get("X-Error-Field")}
	var said struct{ Error, Message string }
	if err := json.Unmarshal(a.body, &said); err != nil || said.Error == "" {
		e.Code, e.Message = "http_"+strconv.Itoa(a.status), http.StatusText(a.status)
		return e
	}
	e.Code, e.Message = said.Error, said.Message
	return e
}

// retryAfter reads Retry-After in seconds; 0 without one.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
