package main

import (
	"encoding/json"
	"fmt"
)

// asAnswers returns openapi.json with each webhook written as the answer to a GET. oasdiff takes a webhook for a request that the
// service reads, so a member that is gone would pass, and a further one would break. The service sends webhooks: a client
// reads them by the rules of answers. Their headers become headers of the answer.
func asAnswers(text []byte) ([]byte, error) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("read openapi.json: %w", err)
	}
	paths, webhooks := map[string]json.RawMessage{}, map[string]map[string]webhook{}
	if err := json.Unmarshal(doc["paths"], &paths); err != nil {
		return nil, fmt.Errorf("read the paths: %w", err)
	}
	if err := json.Unmarshal(doc["webhooks"], &webhooks); err != nil {
		return nil, fmt.Errorf("read the webhooks: %w", err)
	}
	delete(doc, "webhooks")
	for name, methods := range webhooks {
		for method, w := range methods {
			path, err := json.Marshal(w.answer())
			if err != nil {
				return nil, fmt.Errorf("write webhook %s: %w", name, err)
			}
			paths["/"+method+" of webhook "+name] = path
		}
	}
	var err error
	if doc["paths"], err = json.Marshal(paths); err != nil {
		return nil, fmt.Errorf("write the paths: %w", err)
	}
	return json.MarshalIndent(doc, "", " ")
}

// webhook is an operation under webhooks.
type webhook struct {
	Parameters []struct {
		Name     string          `json:"name"`
		Required bool            `json:"required"`
		Schema   json.RawMessage `json:"schema"`
	} `json:"parameters"`
	RequestBody struct {
		Content json.RawMessage `json:"content"`
	} `json:"requestBody"`
}

// answer returns a path item with the webhook as its answer.
func (w webhook) answer() any {
	headers := map[string]any{}
	for _, p := range w.Parameters {
		headers[p.Name] = map[string]any{"required": p.Required, "schema": p.Schema}
	}
	response := map[string]any{"description": "The webhook.", "headers": headers, "content": w.RequestBody.Content}
	return map[string]any{"get": map[string]any{"responses": map[string]any{"200": response}}}
}
