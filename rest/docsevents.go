package rest

import "gopkg.in/yaml.v3"

// docsEvent is an event that webhooks send, as the section webhooks describes it.
type docsEvent struct {
	Name, Summary, Description string
	// Schemas are the names of the bodies that it may have.
	Schemas []string
	// Example is the first one, as indented JSON; empty: none.
	Example string
}

// events reads the section webhooks. The headers of all deliveries come back as one list, each once.
func (d *docsReader) events() (list []docsEvent, headers []docsParameter, err error) {
	known := map[string]bool{}
	for name, item := range pairs(member(d.root, "webhooks")) {
		op := member(item, "post")
		shown := docsEvent{Name: name, Summary: text(op, "summary"), Description: text(op, "description")}
		for _, p := range member(op, "parameters").Content {
			if h := text(p, "name"); !known[h] {
				known[h] = true
				headers = append(headers, docsParameter{Name: h, Type: d.typeOf(member(p, "schema")), Description: text(p, "description"), Required: text(p, "required") == "true"})
			}
		}
		body := member(member(member(op, "requestBody"), "content"), "application/json")
		shown.Schemas = schemaNames(member(body, "schema"))
		for _, example := range pairs(member(body, "examples")) {
			if shown.Example, err = indented(member(d.resolve(example), "value")); err != nil {
				return nil, nil, err
			}
		}
		list = append(list, shown)
	}
	return list, headers, nil
}

// schemaNames returns the name of a schema, or the names of those that it may be one of.
func schemaNames(schema *yaml.Node) []string {
	either := member(schema, "oneOf")
	if either == nil {
		return []string{refName(schema)}
	}
	var names []string
	for _, s := range either.Content {
		names = append(names, refName(s))
	}
	return names
}
