package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// graphQLMedia is the media type of the specification GraphQL over HTTP.
const graphQLMedia = "application/graphql-response+json"

// operation is the body of a request of GraphQL.
type operation struct {
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables,omitempty"`
}

// graphQLAnswer is an answer of GraphQL, or one event of a subscription.
type graphQLAnswer struct {
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Message    string `json:"message"`
		Path       []any  `json:"path"`
		Extensions struct {
			Code  string `json:"code"`
			Field string `json:"field"`
		} `json:"extensions"`
	} `json:"errors"`
}

// Query asks GraphQL and decodes data into out. vars may be nil. With errors beside data out is filled all the same, and
// the error joins an *Error for each.
func (c *Client) Query(ctx context.Context, doc string, vars map[string]any, out any) (Meta, error) {
	return c.operate(ctx, doc, vars, out, false)
}

// Mutate is Query for a mutation. It carries an Idempotency-Key, so it happens once however often it is sent.
func (c *Client) Mutate(ctx context.Context, doc string, vars map[string]any, out any) (Meta, error) {
	return c.operate(ctx, doc, vars, out, true)
}

// operate sends an operation.
func (c *Client) operate(ctx context.Context, doc string, vars map[string]any, out any, once bool) (Meta, error) {
	body, err := json.Marshal(operation{doc, vars})
	if err != nil {
		return Meta{}, fmt.Errorf("encode operation: %w", err)
	}
	got, err := c.do(ctx, request{method: http.MethodPost, url: c.graphQL(), accept: graphQLMedia, body: body, once: once})
	if err != nil {
		return Meta{}, err
	}
	m := metaOf(got.header)
	var a graphQLAnswer
	if err := json.Unmarshal(got.body, &a); err != nil || (len(a.Errors) == 0 && len(a.Data) == 0) {
		return m, errorOf(got)
	}
	if out != nil && len(a.Data) > 0 {
		if err := json.Unmarshal(a.Data, out); err != nil {
			return m, fmt.Errorf("decode data: %w", err)
		}
	}
	return m, a.err(got.status, got.header)
}

// err joins the errors of an answer; nil: there are none. Their codes are those of /v1, which GraphQL writes in capitals.
func (a *graphQLAnswer) err(status int, h http.Header) error {
	var all []error
	for _, e := range a.Errors {
		all = append(all, &Error{
			Code: strings.ToLower(e.Extensions.Code), Message: e.Message, Path: e.Path, Field: e.Extensions.Field,
			Status: status, RequestID: h.Get("X-Request-Id"), RetryAfter: retryAfter(h),
		})
	}
	return errors.Join(all...)
}
