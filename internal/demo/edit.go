package demo

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// edit is a source document that is changed value by value. Its comments and the order of its keys stay.
type edit struct {
	root yaml.Node
	err  error
}

// newEdit reads a document.
func newEdit(text []byte) (*edit, error) {
	e := &edit{}
	if err := yaml.Unmarshal(text, &e.root); err != nil {
		return nil, fmt.Errorf("read source document: %w", err)
	}
	return e, nil
}

// set gives the key at a path such as transport.settings.base a value. Keys on the way are made where they are missing.
func (e *edit) set(path string, value any) {
	holder, key := e.holder(path)
	var node yaml.Node
	e.err = errors.Join(e.err, node.Encode(value))
	if i := at(holder, key); i >= 0 {
		node.LineComment = holder.Content[i+1].LineComment
		holder.Content[i+1] = &node
		return
	}
	holder.Content = append(holder.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &node)
}

// drop takes the key at a path out, if it is there.
func (e *edit) drop(path string) {
	holder, key := e.holder(path)
	if i := at(holder, key); i >= 0 {
		holder.Content = append(holder.Content[:i], holder.Content[i+2:]...)
	}
}

// holder returns the mapping that holds the last key of a path, and that key.
func (e *edit) holder(path string) (*yaml.Node, string) {
	node, keys := e.root.Content[0], strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		i := at(node, key)
		if i < 0 {
			i = len(node.Content)
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &yaml.Node{Kind: yaml.MappingNode})
		}
		node = node.Content[i+1]
	}
	return node, keys[len(keys)-1]
}

// at returns the index of a key among the contents of a mapping; -1: it has none.
func at(mapping *yaml.Node, key string) int {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// text returns the document as it is now.
func (e *edit) text() (string, error) {
	var out bytes.Buffer
	w := yaml.NewEncoder(&out)
	w.SetIndent(2)
	if err := errors.Join(e.err, w.Encode(&e.root), w.Close()); err != nil {
		return "", fmt.Errorf("write source document: %w", err)
	}
	return out.String(), nil
}
