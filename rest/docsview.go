package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// docsView is openapi.yaml as the page shows it: operations under their tags, references
// resolved, everything in the order of the document.
type docsView struct {
	Title, Summary, Description, BaseURL string
	Tags                                 []docsTag
	Schemas                              []docsSchema
	// Events that webhooks send, and the headers of their deliveries, each once.
	Events       []docsEvent
	EventHeaders []docsParameter
	// Headers of responses, each once.
	Headers []docsParameter
	// Error responses, each once.
	Errors []docsResponse
	// Codes are what errors are called, each with what to do.
	Codes []docsCode
}

// docsCode is the code of an error, and what the caller does about it.
type docsCode struct{ Name, Remedy string }

// docsTag is a group of operations with its heading.
type docsTag struct {
	Name, Description string
	// Last part of the address of its page.
	Slug       string
	Operations []docsOperation
}

// docsOperation is one operation.
type docsOperation struct {
	ID, Method, Path, Summary, Description string
	// ChangesNothing: it may be tried without a question, although it is no GET.
	ChangesNothing bool
	Parameters     []docsParameter
	// Nil: the operation takes none.
	Body *docsBody
	// Responses that are no errors.
	Responses []docsResponse
	// Statuses of errors, separated by commas; what they mean is one table for all operations.
	Errors string
	// Samples of its request, one a language, and the path that they ask for.
	Samples    []docsSample
	SamplePath string
}

// docsSample is a program in a language.
type docsSample struct{ Language, Program string }

// docsParameter is a parameter, a header or a member of a schema.
type docsParameter struct {
	Name, In, Type, Description string
	Required                    bool
	// Allowed values, separated by commas; empty: not a closed set.
	Values string
	// Example of a value; empty: none.
	Example string
}

// docsBody is the body of a request: the name of its schema, and an example as indented JSON.
type docsBody struct{ Schema, Example string }

// docsResponse is a response with its first example.
type docsResponse struct {
	Status, Description, Schema, Example string
	Headers                              []string
}

// docsSchema is a named schema with its members.
type docsSchema struct {
	Name, Description, Type string
	Fields                  []docsParameter
}

// docsReader walks the document and collects what the page lists once.
type docsReader struct {
	root *yaml.Node
	// Response headers in the order in which they were met, each once.
	headers []docsParameter
	// Error responses, each once.
	errors []docsResponse
}

// newDocsView reads openapi.yaml for the page. It is the document that programs get, so the two
// cannot differ.
func newDocsView(baseURL string) (docsView, error) {
	root, err := openAPITree()
	if err != nil {
		return docsView{}, err
	}
	d := docsReader{root: root}
	info := member(root, "info")
	v := docsView{
		Title: text(info, "title"), Summary: text(info, "summary"), Description: text(info, "description"), BaseURL: baseURL,
	}
	for _, tag := range member(root, "tags").Content {
		name := text(tag, "name")
		v.Tags = append(v.Tags, docsTag{Name: name, Slug: strings.ToLower(name), Description: text(tag, "description")})
	}
	for path, item := range pairs(member(root, "paths")) {
		for method, op := range pairs(item) {
			shown, err := d.operation(strings.ToUpper(method), path, op)
			if err != nil {
				return docsView{}, err
			}
			if err := shown.addSamples(baseURL); err != nil {
				return docsView{}, err
			}
			for i := range v.Tags {
				if v.Tags[i].Name == member(op, "tags").Content[0].Value {
					v.Tags[i].Operations = append(v.Tags[i].Operations, shown)
				}
			}
		}
	}
	for name, schema := range pairs(member(member(root, "components"), "schemas")) {
		if !strings.HasSuffix(name, "Fields") { // shown where they are used
			v.Schemas = append(v.Schemas, docsSchema{
				Name: name, Description: text(schema, "description"), Type: d.typeOf(schema), Fields: d.fields(schema),
			})
		}
	}
	v.Headers, v.Errors = d.headers, d.sortedErrors()
	errors := member(member(member(member(member(root, "components"), "schemas"), "Error"), "properties"), "error")
	for name, remedy := range pairs(member(errors, "x-what-to-do")) {
		v.Codes = append(v.Codes, docsCode{Name: name, Remedy: remedy.Value})
	}
	v.Events, v.EventHeaders, err = d.events()
	return v, err
}

// operation reads one operation. Errors and headers that operations share are collected for
// tables of their own.
func (d *docsReader) operation(method, path string, op *yaml.Node) (docsOperation, error) {
	out := docsOperation{
		ID: text(op, "operationId"), Method: method, Path: path, Summary: text(op, "summary"), Description: text(op, "description"),
		ChangesNothing: text(op, "x-changes-nothing") == "true",
	}
	if list := member(op, "parameters"); list != nil {
		for _, p := range list.Content {
			p = d.resolve(p)
			shown := docsParameter{
				Name: text(p, "name"), In: text(p, "in"), Type: d.typeOf(member(p, "schema")), Description: text(p, "description"), Required: text(p, "required") == "true", Example: text(p, "example"),
			}
			if allowed := member(d.resolve(member(p, "schema")), "enum"); allowed != nil {
				shown.Values = strings.Join(values(allowed), ",")
			}
			out.Parameters = append(out.Parameters, shown)
		}
	}
	if body := member(member(member(op, "requestBody"), "content"), "application/json"); body != nil {
		example, err := indented(member(body, "example"))
		if err != nil {
			return out, err
		}
		out.Body = &docsBody{Schema: refName(member(body, "schema")), Example: example}
	}
	for status, r := range pairs(member(op, "responses")) {
		shown, err := d.response(status, d.resolve(r))
		if err != nil {
			return out, err
		}
		if status < "400" {
			out.Responses = append(out.Responses, shown)
			continue
		}
		out.Errors = strings.TrimPrefix(out.Errors+", "+status, ", ")
		if !slices.ContainsFunc(d.errors, func(k docsResponse) bool { return k.Status == status && k.Description == shown.Description }) {
			d.errors = append(d.errors, shown)
		}
	}
	return out, nil
}

// response reads one response with its first example. Headers are collected for a table of their
// own; examples come from the document, never from records.
func (d *docsReader) response(status string, r *yaml.Node) (docsResponse, error) {
	shown := docsResponse{Status: status, Description: text(r, "description")}
	for name, h := range pairs(member(r, "headers")) {
		h = d.resolve(h)
		shown.Headers = append(shown.Headers, name)
		if !slices.ContainsFunc(d.headers, func(k docsParameter) bool { return k.Name == name }) {
			d.headers = append(d.headers, docsParameter{Name: name, Type: d.typeOf(member(h, "schema")), Description: text(h, "description")})
		}
	}
	if body := member(member(r, "content"), "application/json"); body != nil {
		shown.Schema = refName(member(body, "schema"))
		for _, example := range pairs(member(body, "examples")) {
			var err error
			if shown.Example, err = indented(member(d.resolve(example), "value")); err != nil {
				return shown, err
			}
		}
	}
	return shown, nil
}

// sortedErrors returns the errors by status.
func (d *docsReader) sortedErrors() []docsResponse {
	slices.SortStableFunc(d.errors, func(a, b docsResponse) int { return strings.Compare(a.Status, b.Status) })
	return d.errors
}

// fields returns the members of a schema, and before them those of the schemas that it is made of
// (allOf).
func (d *docsReader) fields(schema *yaml.Node) []docsParameter {
	schema = d.resolve(schema)
	var out []docsParameter
	if all := member(schema, "allOf"); all != nil {
		for _, part := range all.Content {
			out = append(out, d.fields(part)...)
		}
	}
	for name, f := range pairs(member(schema, "properties")) {
		out = append(out, docsParameter{Name: name, Type: d.typeOf(f), Description: text(d.resolve(f), "description")})
	}
	return out
}

// typeOf describes in a few words which values a schema permits.
func (d *docsReader) typeOf(schema *yaml.Node) string {
	if name := refName(schema); name != "" {
		return name
	}
	if either := member(schema, "oneOf"); either != nil {
		var names []string
		for _, s := range either.Content {
			names = append(names, d.typeOf(s))
		}
		return strings.Join(names, " or ")
	}
	kind := text(schema, "type")
	if kinds := member(schema, "type"); kinds != nil && kinds.Kind == yaml.SequenceNode {
		kind = strings.Join(values(kinds), " or ")
	}
	if items := member(schema, "items"); items != nil {
		kind += " of " + d.typeOf(items)
	}
	if allowed := member(schema, "enum"); allowed != nil {
		kind = strings.Join(values(allowed), ", ")
	}
	if format := text(schema, "format"); format != "" {
		kind += " (" + format + ")"
	}
	words := []string{kind}
	for _, bound := range []struct{ key, shown string }{{"minimum", "at least "}, {"maximum", "at most "}, {"default", "default "}} {
		if v := text(schema, bound.key); v != "" {
			words = append(words, bound.shown+v)
		}
	}
	return strings.Join(words, ", ")
}

// values returns the scalars of a sequence.
func values(n *yaml.Node) []string {
	var out []string
	for _, v := range n.Content {
		out = append(out, v.Value)
	}
	return out
}

// resolve follows a reference within the document; another node is returned as it is.
func (d *docsReader) resolve(n *yaml.Node) *yaml.Node {
	path, ok := strings.CutPrefix(text(n, "$ref"), "#/")
	if n == nil || !ok {
		return n
	}
	at := d.root
	for part := range strings.SplitSeq(path, "/") {
		at = member(at, part)
	}
	return at
}

// refName returns the last part of a $ref, the name of a schema.
func refName(n *yaml.Node) string {
	ref := text(n, "$ref")
	return ref[strings.LastIndexByte(ref, '/')+1:]
}

// text returns a scalar member, or "".
func text(n *yaml.Node, key string) string {
	if v := member(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

// pairs yields the members of a mapping in the order of the document; nil has none.
func pairs(n *yaml.Node) func(func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i].Value, n.Content[i+1]) {
				return
			}
		}
	}
}

// indented returns an example as indented JSON, or null without one.
func indented(n *yaml.Node) (string, error) {
	var e encoder
	if err := e.node(n); err != nil {
		return "", fmt.Errorf("show example: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, e.b, "", "  "); err != nil {
		return "", fmt.Errorf("show example: %w", err)
	}
	return out.String(), nil
}
