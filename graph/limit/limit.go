// Package limit bounds what one GraphQL operation may ask for: its size, before it is validated, and
// what it costs, from the records that its fields may hold. It reads nothing and refuses by value.
package limit

import (
	"fmt"
	"math"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Code is the extensions.code of every refusal. With it come the members limit, max and actual.
const Code = "LIMIT_EXCEEDED"

// Set bounds what one operation may ask for. Every figure has to be positive. An operation over a
// limit is refused before anything is read, with the limit and its own figure in extensions.
type Set struct {
	// Bytes of a request's body, of a query string, of one websocket message.
	Body int64
	// Words and punctuation of a document.
	Tokens int
	// Levels of fields within fields. Introspection is bounded by a rule of its own.
	Depth int
	// Fields of an operation, counted each time that a fragment is spread.
	Fields int
	// Fields under another name. Introspection may have none.
	Aliases int
	// Fields of Query or Mutation in one operation.
	RootFields int
	// Records wanted times the fields of each; Costs computes it.
	Cost int
	// Time of a query or mutation from its start to its answer. A subscription has none.
	Timeout time.Duration
}

// Default admits a page of 200 records with all of their links, and refuses what costs ten
// times as much.
func Default() Set {
	return Set{
		Body: 1 << 20, Tokens: 4000, Depth: 15, Fields: 1000, Aliases: 50, RootFields: 20,
		Cost: 120_000, Timeout: 10 * time.Second,
	}
}

// Over returns the refusal of an operation that exceeds a limit; unit names what was counted.
func Over(limit string, actual, most int, unit string) *gqlerror.Error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf("the operation has %d %s; the limit is %d", actual, unit, most),
		Extensions: map[string]any{"code": Code, "limit": limit, "max": most, "actual": actual},
	}
}

// Check refuses a document that is too large to be worth validating. It needs no schema. Its time
// grows with the length of the document only: each fragment is measured once, however often it is
// spread.
func (l Set) Check(doc *ast.QueryDocument) *gqlerror.Error {
	m := measure{fragments: doc.Fragments, done: map[string]size{}}
	for _, op := range doc.Operations {
		s := m.selections(op.SelectionSet)
		switch {
		case s.depth > l.Depth:
			return Over("depth", s.depth, l.Depth, "levels of fields")
		case s.fields > l.Fields:
			return Over("fields", s.fields, l.Fields, "fields")
		case s.aliases > l.Aliases:
			return Over("aliases", s.aliases, l.Aliases, "aliases")
		case s.hidden > 0:
			return Over("introspectionAliases", s.hidden, 0, "aliases within introspection")
		case s.top > l.RootFields:
			return Over("rootFields", s.top, l.RootFields, "root fields")
		}
	}
	return nil
}

// size is what a selection set holds, with its fragments. Each figure stops at the largest int.
type size struct {
	// Levels down to the deepest field.
	depth int
	// Fields of the set itself.
	top int
	// Fields in all, each use of a fragment counted.
	fields int
	// Fields under another name, outside of introspection.
	aliases int
	// Aliases within introspection.
	hidden int
}

// beside returns the size of two parts of one selection set together.
func (s size) beside(o size) size {
	return size{
		depth: max(s.depth, o.depth), top: sum(s.top, o.top), fields: sum(s.fields, o.fields),
		aliases: sum(s.aliases, o.aliases), hidden: sum(s.hidden, o.hidden),
	}
}

// sum adds without overflow. Nested fragments reach any number, and a negative one would pass every
// limit.
func sum(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// measure computes sizes of selection sets that are not validated yet. A fragment may be missing or
// cyclic; it counts nothing here, and validation refuses it.
type measure struct {
	fragments ast.FragmentDefinitionList
	// Sizes of fragments that were measured. Without it a chain of fragments, each spreading the
	// next one twice, takes exponential time.
	done map[string]size
}

// selections measures a selection set.
func (m *measure) selections(set ast.SelectionSet) size {
	var all size
	for _, sel := range set {
		switch s := sel.(type) {
		case *ast.Field:
			all = all.beside(m.field(s))
		case *ast.InlineFragment:
			all = all.beside(m.selections(s.SelectionSet))
		case *ast.FragmentSpread:
			all = all.beside(m.fragment(s.Name))
		}
	}
	return all
}

// field measures a field with everything below it.
func (m *measure) field(f *ast.Field) size {
	s := m.selections(f.SelectionSet)
	s.depth++
	if f.Name == "__schema" || f.Name == "__type" {
		// Tools read types of types, ten deep and more; the rule MaxIntrospectionDepth bounds that,
		// as long as no aliases multiply it.
		s.depth, s.hidden, s.aliases = 1, sum(s.hidden, s.aliases), 0
	}
	s.top, s.fields = 1, sum(s.fields, 1)
	if f.Alias != "" && f.Alias != f.Name {
		s.aliases = sum(s.aliases, 1)
	}
	return s
}

// fragment measures a fragment once. A cycle finds the empty size.
func (m *measure) fragment(name string) size {
	if s, ok := m.done[name]; ok {
		return s
	}
	f := m.fragments.ForName(name)
	if f == nil {
		return size{}
	}
	m.done[name] = size{} // what a cycle finds
	s := m.selections(f.SelectionSet)
	m.done[name] = s
	return s
}
