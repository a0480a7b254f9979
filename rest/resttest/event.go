package resttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// CheckEvent returns how the body of a delivered webhook, or one of its headers, differs from the section webhooks of
// openapi.json; nil if neither does. A member that the document does not have is a difference, although receivers have to
// ignore it.
func CheckEvent(ctx context.Context, h http.Header, body []byte) error {
	doc, err := events()
	if err != nil {
		return err
	}
	var kind struct{ Event string }
	if err := json.Unmarshal(body, &kind); err != nil {
		return fmt.Errorf("read an event: %w", err)
	}
	item := doc.Webhooks[kind.Event]
	if item == nil {
		return fmt.Errorf("openapi.json has no webhook %q", kind.Event)
	}
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", bytes.NewReader(body))
	req.Header = h
	return openapi3filter.ValidateRequest(ctx, &openapi3filter.RequestValidationInput{
		Request: req,
		Route:   &routers.Route{Spec: doc, PathItem: item, Method: http.MethodPost, Operation: item.Post},
	})
}

// events is openapi.json with the payloads closed. Version 2 is open in the document, because it may get further members.
var events = sync.OnceValues(func() (*openapi3.T, error) {
	doc, err := read()
	if err != nil {
		return nil, err
	}
	if len(doc.Webhooks) == 0 {
		return nil, errors.New("openapi.json has no webhooks")
	}
	for _, item := range doc.Webhooks {
		closeSchema(item.Post.RequestBody.Value.Content["application/json"].Schema)
	}
	return doc, nil
})

// closeSchema forbids members that an object does not list, in the objects below it too.
func closeSchema(ref *openapi3.SchemaRef) {
	s := ref.Value
	if len(s.Properties) > 0 {
		s.WithoutAdditionalProperties()
	}
	for _, p := range s.Properties {
		closeSchema(p)
	}
	for _, one := range s.OneOf {
		closeSchema(one)
	}
}
