package rest

import (
	_ "embed"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"rollcall/internal/jsontext"
)

//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns openapi.json: the hand-written openapi.yaml in its order, with baseURL (which
// ends in /v1) as the address of the service, and its pages as the contact. The order stays, so
// that people who compare the two find their place.
func OpenAPI(baseURL string) ([]byte, error) {
	root, err := openAPITree()
	if err != nil {
		return nil, err
	}
	if servers := member(root, "servers"); servers != nil && len(servers.Content) > 0 {
		if address := member(servers.Content[0], "url"); address != nil {
			address.Value = baseURL
		}
	}
	if contact := member(member(member(root, "info"), "contact"), "url"); contact != nil {
		contact.Value = strings.TrimSuffix(baseURL, "v1")
	}
	var e encoder
	if err := e.node(root); err != nil {
		return nil, fmt.Errorf("convert openapi.yaml: %w", err)
	}
	return append(e.b, '\n'), nil
}

// openAPITree parses the embedded document as a tree, which keeps the order of its members.
func openAPITree() (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(openAPI, &doc); err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	return doc.Content[0], nil
}

// member returns the value of a key of a mapping, or nil. A nil node has no members.
func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// node writes a YAML value as JSON. Mappings keep their order. Aliases are not used in the
// document and are an error here.
func (e *encoder) node(n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		e.b = append(e.b, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			e.next()
			e.b = append(jsontext.Append(e.b, n.Content[i].Value), ':')
			if err := e.node(n.Content[i+1]); err != nil {
				return err
			}
		}
		e.b = append(e.b, '}')
	case yaml.SequenceNode:
		e.b = append(e.b, '[')
		for _, item := range n.Content {
			e.next()
			if err := e.node(item); err != nil {
				return err
			}
		}
		e.b = append(e.b, ']')
	case yaml.ScalarNode:
		e.scalar(n)
	default:
		return fmt.Errorf("line %d: neither mapping, sequence nor scalar", n.Line)
	}
	return nil
}

// scalar writes a YAML scalar as JSON. Numbers and constants are written in openapi.yaml as JSON
// spells them, everything else is a string.
func (e *encoder) scalar(n *yaml.Node) {
	switch n.Tag {
	case "!!int", "!!float", "!!bool", "!!null": // written in openapi.yaml as JSON writes them
		e.b = append(e.b, n.Value...)
	default:
		e.b = jsontext.Append(e.b, n.Value)
	}
}
