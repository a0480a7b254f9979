package document

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Value reads one node into the value that into points to and notes what does not fit. Supported are structs
// with `yaml` tags, pointers, slices, maps with text keys, texts, numbers, booleans, durations ("30m") and
// types that implement Reader.
func Value(path string, node *yaml.Node, into any, problems *Problems) {
	read(path, node, reflect.ValueOf(into).Elem(), problems)
}

// read is Value by reflection.
func read(path string, node *yaml.Node, into reflect.Value, problems *Problems) {
	if node.Kind == yaml.AliasNode || node.Anchor != "" {
		problems.Add(path, "anchors and aliases are not supported")
		return
	}
	// A type that reads itself decides what its node may be, so it comes before the kinds of Go.
	if into.CanAddr() {
		if reader, ok := reflect.TypeAssert[Reader](into.Addr()); ok {
			reader.ReadNode(path, node, problems)
			return
		}
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		read(path, node, into.Elem(), problems)
	case reflect.Struct:
		readStruct(path, node, into, problems)
	case reflect.Slice:
		readSlice(path, node, into, problems)
	case reflect.Map:
		readMap(path, node, into, problems)
	default:
		readScalar(path, node, into, problems)
	}
}

// readStruct reads a map of keys into the fields with those `yaml` tags. Every other key is a mistake: a
// misspelled key that is ignored would be a setting that silently does not apply.
func readStruct(path string, node *yaml.Node, into reflect.Value, problems *Problems) {
	known := make(map[string]reflect.Value, into.NumField())
	for i := range into.NumField() {
		if name := into.Type().Field(i).Tag.Get("yaml"); name != "" && name != "-" {
			known[name] = into.Field(i)
		}
	}
	Each(path, node, problems, func(key string, value *yaml.Node) {
		field, ok := known[key]
		if !ok {
			problems.Add(At(path, key), "unknown key%s", Suggest(key, slices.Sorted(maps.Keys(known))))
			return
		}
		read(At(path, key), value, field, problems)
	})
}

// Each calls visit for every key of a map node, and notes a node that is no map, and keys that are written
// twice.
func Each(path string, node *yaml.Node, problems *Problems, visit func(key string, value *yaml.Node)) {
	if node.Kind != yaml.MappingNode {
		problems.Add(path, "want a map of keys, have %s (line %d)", describe(node), node.Line)
		return
	}
	seen := make(map[string]bool, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i].Value
		if seen[key] {
			problems.Add(At(path, key), "written twice (line %d)", node.Content[i].Line)
			continue
		}
		seen[key] = true
		visit(key, node.Content[i+1])
	}
}

// readSlice reads a list; the mistakes of each item have its position.
func readSlice(path string, node *yaml.Node, into reflect.Value, problems *Problems) {
	if node.Kind != yaml.SequenceNode {
		problems.Add(path, "want a list, have %s (line %d)", describe(node), node.Line)
		return
	}
	list := reflect.MakeSlice(into.Type(), len(node.Content), len(node.Content))
	for i, item := range node.Content {
		read(Index(path, i), item, list.Index(i), problems)
	}
	into.Set(list)
}

// readMap reads a map whose keys the document chooses.
func readMap(path string, node *yaml.Node, into reflect.Value, problems *Problems) {
	filled := reflect.MakeMap(into.Type())
	Each(path, node, problems, func(key string, value *yaml.Node) {
		item := reflect.New(into.Type().Elem()).Elem()
		read(At(path, key), value, item, problems)
		filled.SetMapIndex(reflect.ValueOf(key), item)
	})
	into.Set(filled)
}

// readScalar reads one value. A text is taken as it is written: `number: 007` keeps its zeros.
func readScalar(path string, node *yaml.Node, into reflect.Value, problems *Problems) {
	if node.Kind != yaml.ScalarNode {
		problems.Add(path, "want one value, have %s (line %d)", describe(node), node.Line)
		return
	}
	if into.Type() == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(node.Value)
		if err != nil || d < 0 {
			problems.Add(path, "%q is not a duration such as 30m or 1h30m", node.Value)
		}
		into.SetInt(int64(d))
		return
	}
	var err error
	switch into.Kind() {
	case reflect.String:
		into.SetString(node.Value)
	case reflect.Bool:
		var v bool
		if v, err = strconv.ParseBool(node.Value); err != nil {
			problems.Add(path, "%q is neither true nor false", node.Value)
		}
		into.SetBool(v)
	case reflect.Int, reflect.Int64:
		var v int64
		if v, err = strconv.ParseInt(strings.ReplaceAll(node.Value, "_", ""), 10, 64); err != nil {
			problems.Add(path, "%q is not a whole number", node.Value)
		}
		into.SetInt(v)
	case reflect.Float64:
		var v float64
		if v, err = strconv.ParseFloat(node.Value, 64); err != nil {
			problems.Add(path, "%q is not a number", node.Value)
		}
		into.SetFloat(v)
	default:
		problems.Add(path, "no value can be read here")
	}
}

// describe names a node in a message about a value of another kind.
func describe(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	default:
		return fmt.Sprintf("%q", node.Value)
	}
}

// Suggest returns `; did you mean "x"?` when a known word is near, else the list of known words.
func Suggest(word string, known []string) string {
	for _, k := range known {
		if near(word, k) {
			return fmt.Sprintf("; did you mean %q?", k)
		}
	}
	return "; known are " + strings.Join(known, ", ")
}

// near reports whether two words differ by one letter left out, put in, changed or swapped.
func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) || a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
