package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Frozen lists the payloads of webhooks that a release had with exactly these members (additionalProperties: false), and that
// are another thing now. oasdiff lets a further member pass, and a receiver that checks the schema refuses it. Texts for
// people may change. Empty: nothing.
func Frozen(released, now []byte) ([]string, error) {
	var was, is document
	if err := json.Unmarshal(released, &was); err != nil {
		return nil, fmt.Errorf("read the released openapi.json: %w", err)
	}
	if err := json.Unmarshal(now, &is); err != nil {
		return nil, fmt.Errorf("read openapi.json: %w", err)
	}
	var found []string
	for _, name := range was.sent() {
		old, _ := was.Components.Schemas[name].(map[string]any)
		if old["additionalProperties"] == false && !reflect.DeepEqual(bare(old), bare(is.Components.Schemas[name])) {
			found = append(found, name+" is frozen and changed: a new payload version may have more")
		}
	}
	return found, nil
}

// document is the part of openapi.json that says what webhooks send.
type document struct {
	Webhooks   map[string]any `json:"webhooks"`
	Components struct {
		Schemas map[string]any `json:"schemas"`
	} `json:"components"`
}

// sent returns the names of the schemas that webhooks lead to, sorted.
func (d *document) sent() []string {
	names := map[string]bool{}
	var follow func(in any)
	follow = func(in any) {
		switch in := in.(type) {
		case []any:
			for _, v := range in {
				follow(v)
			}
		case map[string]any:
			for key, v := range in {
				ref, isText := v.(string)
				name, isSchema := strings.CutPrefix(ref, "#/components/schemas/")
				if key != "$ref" || !isText || !isSchema {
					follow(v)
				} else if !names[name] {
					names[name] = true
					follow(d.Components.Schemas[name])
				}
			}
		}
	}
	follow(d.Webhooks)
	return slices.Sorted(maps.Keys(names))
}

// bare returns a schema without the texts for people. A member of the name description is no such text: its value is an object.
func bare(in any) any {
	switch in := in.(type) {
	case []any:
		out := make([]any, len(in))
		for i, v := range in {
			out[i] = bare(v)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(in))
		for key, v := range in {
			if _, isText := v.(string); isText && key == "description" || key == "example" || key == "examples" {
				continue
			}
			out[key] = bare(v)
		}
		return out
	}
	return in
}
