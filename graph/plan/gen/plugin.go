package main

import (
	_ "embed"
	"path/filepath"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

//go:embed plans.gotpl
var text string

// plugin writes, for each object of the schema, a function that appends it as JSON. gqlgen has
// decided what each field is bound to, with everything that gqlgen.yml says of it. So a plan cannot
// call another resolver than the executor does.
type plugin struct{}

// Name returns the plugin's name for errors of gqlgen.
func (plugin) Name() string { return "plans" }

// object is an object of the schema with the fields that its function writes.
type object struct {
	*codegen.Object
	// Planned are the fields that have a writer; the others are left to the executor.
	Planned []*codegen.Field
}

// HasResolver reports whether a resolver is called for one of the fields. The template declares the
// resolvers of such objects only.
func (o object) HasResolver() bool {
	for _, f := range o.Planned {
		if f.IsResolver {
			return true
		}
	}
	return false
}

// GenerateCode writes plans.go beside the executor.
func (plugin) GenerateCode(data *codegen.Data) error {
	roots, objects := plan(data)
	return templates.Render(templates.Options{
		PackageName: data.Config.Exec.Package,
		Filename:    filepath.Join(data.Config.Exec.Dir(), "plans.go"),
		Data: map[string]any{
			"Roots": roots, "Objects": objects, "Plan": "rollcall/graph/plan", "Text": "rollcall/internal/jsontext",
		},
		Funcs:           map[string]any{"value": value, "read": read},
		GeneratedHeader: true,
		Packages:        data.Config.Packages,
		Template:        text,
		PruneOptions:    data.Config.GetPruneOptions(),
	})
}

// plan returns the fields of Query whose values are written, and the objects of the schema with
// theirs. Mutations are left to the executor: their fields run in order and answer little.
func plan(data *codegen.Data) (roots []*codegen.Field, objects []object) {
	for _, f := range data.QueryRoot.Fields {
		if of := f.TypeReference.Definition; of.Kind == ast.Object && !strings.HasPrefix(of.Name, "__") && writable(f.TypeReference) {
			roots = append(roots, f)
		}
	}
	for _, o := range data.Objects {
		if o.Root || strings.HasPrefix(o.Name, "__") {
			continue
		}
		out := object{Object: o}
		for _, f := range o.Fields {
			if planned(f) {
				out.Planned = append(out.Planned, f)
			}
		}
		objects = append(objects, out)
	}
	return roots, objects
}

// planned reports whether a field is written. Fields with arguments, directives or values that are
// not plain are left to the executor, which knows how to read them.
func planned(f *codegen.Field) bool {
	bound := f.IsResolver || f.IsVariable() || f.IsMethod() && !f.VOkFunc
	return bound && len(f.Args) == 0 && !f.HasDirectives() && !f.Batch && !f.HasHaser && !f.Stream && writable(f.TypeReference)
}

// read returns the Go statement that reads a field of obj into v, as gqlgen bound it: a resolver, a
// method or a struct's field.
func read(f *codegen.Field) string {
	from, ctx := "obj.", ""
	if f.IsResolver {
		from, ctx = "p."+templates.LcFirst(f.Object.Name)+".", "ctx, obj"
	} else if f.MethodHasContext {
		ctx = "ctx"
	}
	call := from + f.GoFieldName + "(" + ctx + ")"
	switch {
	case f.IsVariable() && !f.IsResolver:
		return "v := obj." + f.GoFieldName
	case f.NoErr && !f.IsResolver:
		return "v := " + call
	}
	return "v, err := " + call + "\nif err != nil {\nreturn b, false\n}"
}
