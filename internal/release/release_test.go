package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

const (
	released = "../../docs/release"
	advice   = "a client of the last release would break; deprecate instead, or if no release has it yet: go run ./internal/release"
)

func TestGraphQLBreaksNothingOfTheLastRelease(t *testing.T) {
	t.Parallel()
	require.Empty(t, Breaking(load(t, read(t, schemaFile)), schema()), advice)
}

func TestOpenAPIBreaksNothingOfTheLastRelease(t *testing.T) {
	t.Parallel()
	now, err := openAPI()
	require.NoError(t, err)
	require.Empty(t, oasdiff(t, read(t, openAPIFile), string(now)), advice)
	changed, err := Frozen([]byte(read(t, openAPIFile)), now)
	require.NoError(t, err)
	require.Empty(t, changed, advice)
}

func TestAGraphQLChangeThatBreaksIsFound(t *testing.T) {
	t.Parallel()
	const before = `
		type Query { a(x: Int, y: Int!): [String]  node: Node  search: Hit  b(in: In): Kind! }
		interface Node { id: ID! }  type Thing implements Node { id: ID! name: String }  type Other implements Node { id: ID! }
		union Hit = Thing | Other  enum Kind { ONE TWO }  input In { p: Int  q: Int! }`
	for name, c := range map[string]struct{ old, now, found string }{
		"nothing":                            {"", "", ""},
		"a field more":                       {"name: String", "name: String more: Int!", ""},
		"a field that is never null":         {"a(x: Int, y: Int!): [String]", "a(x: Int, y: Int!): [String!]!", ""},
		"an argument that may be left":       {"y: Int!", "y: Int, z: Int, w: Int! = 3", ""},
		"an input field that may be left":    {"q: Int!", "q: Int r: Int s: Int! = 3", ""},
		"a value more":                       {"ONE TWO", "ONE TWO THREE", ""},
		"a type more":                        {"enum Kind", "type New { x: Int } enum Kind", ""},
		"a deprecation":                      {"name: String", `name: String @deprecated(reason: "use id")`, ""},
		"a field less":                       {"name: String", "", "Thing.name is gone"},
		"a field that may be null":           {"b(in: In): Kind!", "b(in: In): Kind", "Query.b was Kind! and is Kind"},
		"another type":                       {"name: String", "name: Int", "Thing.name was String and is Int"},
		"no list any more":                   {"[String]", "String", "Query.a was [String] and is String"},
		"an argument less":                   {"x: Int, ", "", "Query.a(x:) is gone"},
		"an argument that must not be null":  {"x: Int,", "x: Int!,", "Query.a(x:) was Int and is Int!"},
		"an argument more that is required":  {"x: Int,", "x: Int, z: Int!,", "Query.a(z:) is newly required"},
		"an input field less":                {"p: Int ", "", "In.p is gone"},
		"an input field that is required":    {"p: Int ", "p: Int r: Int!", "In.r is newly required"},
		"an input field that cannot be null": {"p: Int ", "p: Int! ", "In.p was Int and is Int!"},
		"a value less":                       {"ONE TWO", "ONE", "Kind.TWO is gone"},
		"a member less":                      {"Thing | Other", "Thing", "Hit is no longer beside Other"},
		"an interface less":                  {"type Other implements Node", "type Other", "Other is no longer beside Node"},
		"a kind that changed":                {"enum Kind { ONE TWO }", "scalar Kind", "Kind was ENUM and is SCALAR"},
		"a type less":                        {"union Hit = Thing | Other", "", "Hit is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := strings.Replace(before, c.old, c.now, 1)
			if name == "a type less" {
				now = strings.Replace(now, "search: Hit", "search: Thing", 1)
				c.found = "Hit is gone\nQuery.search was Hit and is Thing"
			}
			require.Equal(t, c.found, strings.Join(Breaking(load(t, before), load(t, now)), "\n"))
		})
	}
}

func TestAnOpenAPIChangeThatBreaksIsFound(t *testing.T) {
	t.Parallel()
	text, err := openAPI()
	require.NoError(t, err)
	before := string(text)
	for name, c := range map[string]struct {
		old, now string
		breaks   bool
	}{
		"another field":           {`"hearing_link": {`, `"remote": {"type": "string"}, "hearing_link": {`, false},
		"another parameter":       {`"name": "from_date",`, `"name": "from_date", "x-note": 1,`, false},
		"a field less":            {`"bond_amount": {`, `"bond": {`, true},
		"another type":            {`"mugshot_match": {` + "\n      " + `"type": "boolean"`, `"mugshot_match": {` + "\n      " + `"type": "string"`, true},
		"another value":           {`"exhausted",`, `"exhausted", "late",`, false},
		"a parameter less":        {`"name": "from_date"`, `"name": "since"`, true},
		"an address less":         {`"/roster/{id}": {`, `"/rosters/{id}": {`, true},
		"a member newly required": {`"required": [` + "\n     \"name\"\n    ]", `"required": ["name", "county"]`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := strings.Replace(before, c.old, c.now, 1)
			require.NotEqual(t, before, now, "the case changes nothing")
			require.Equal(t, c.breaks, oasdiff(t, before, now) != "")
		})
	}
}

// What the service sends is compared as an answer, also where it sends it by itself.
func TestAChangeOfAPayloadThatBreaksIsFound(t *testing.T) {
	t.Parallel()
	text, err := openAPI()
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(doc map[string]any)
		breaks bool
	}{
		"nothing": {func(map[string]any) {}, false},
		"a member less": {func(doc map[string]any) {
			delete(at(doc, "components", "schemas", "EventV1", "properties"), "record")
			without(at(doc, "components", "schemas", "EventV1"), "required", "record")
		}, true},
		"a member that may be absent": {func(doc map[string]any) { without(at(doc, "components", "schemas", "EventV1"), "required", "record") }, true},
		"a member that may be null": {func(doc map[string]any) {
			at(doc, "components", "schemas", "EventRecordV1", "properties", "name")["type"] = []any{"string", "null"}
		}, true},
		"a member of a further type": {func(doc map[string]any) {
			at(doc, "components", "schemas", "EventRecordV1", "properties", "bond_amount")["type"] = []any{"number", "string", "null"}
		}, true},
		"a member more": {func(doc map[string]any) {
			v2 := at(doc, "components", "schemas", "EventV2")
			at(v2, "properties")["weather"] = map[string]any{"type": "string"}
			v2["required"] = append(v2["required"].([]any), "weather") //nolint:errcheck // the test ends without it
		}, false},
		"a further event":                          {func(doc map[string]any) { at(doc, "webhooks")["transfer"] = at(doc, "webhooks", "release") }, false},
		"an event less":                            {func(doc map[string]any) { delete(at(doc, "webhooks"), "release") }, true},
		"a signature renamed":                      {func(doc map[string]any) { parameter(doc, "X-Service-Signature")["name"] = "X-Signature" }, true},
		"a header of a webhook that may be absent": {func(doc map[string]any) { parameter(doc, "Webhook-Id")["required"] = false }, true},
		"a header of an answer less": {func(doc map[string]any) {
			delete(at(doc, "paths", "/roster", "get", "responses", "200", "headers"), "X-Data-As-Of")
		}, true},
		"a header of an answer more": {func(doc map[string]any) {
			at(doc, "paths", "/roster", "get", "responses", "200", "headers")["X-More"] = map[string]any{"schema": map[string]any{"type": "string"}}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := map[string]any{}
			require.NoError(t, json.Unmarshal(text, &doc))
			c.change(doc)
			now, err := json.Marshal(doc)
			require.NoError(t, err)
			found := oasdiff(t, string(text), string(now))
			require.Equal(t, c.breaks, found != "", found)
		})
	}
}

// A payload that has exactly the members of the contract keeps them: oasdiff takes a further one for an addition.
func TestAChangeOfAFrozenPayloadIsFound(t *testing.T) {
	t.Parallel()
	text, err := openAPI()
	require.NoError(t, err)
	weather := map[string]any{"type": "string"}
	for name, c := range map[string]struct {
		change func(schemas map[string]any)
		found  []string
	}{
		"nothing":                            {func(map[string]any) {}, nil},
		"another text":                       {func(s map[string]any) { at(s, "EventV1")["description"] = "As ever." }, nil},
		"a member more of version 1":         {func(s map[string]any) { at(s, "EventV1", "properties")["weather"] = weather }, []string{"EventV1"}},
		"a member more of its record":        {func(s map[string]any) { at(s, "EventRecordV1", "properties")["weather"] = weather }, []string{"EventRecordV1"}},
		"a member of the name description":   {func(s map[string]any) { at(s, "EventRecordV1", "properties")["description"] = weather }, []string{"EventRecordV1"}},
		"members that nobody names":          {func(s map[string]any) { delete(at(s, "EventV1"), "additionalProperties") }, []string{"EventV1"}},
		"a narrower type":                    {func(s map[string]any) { at(s, "EventRecordV1", "properties", "name")["maxLength"] = 10 }, []string{"EventRecordV1"}},
		"version 1 is gone":                  {func(s map[string]any) { delete(s, "EventV1") }, []string{"EventV1"}},
		"a member more of version 2":         {func(s map[string]any) { at(s, "EventV2", "properties")["weather"] = weather }, nil},
		"a member more of what clients send": {func(s map[string]any) { at(s, "NewAlert", "properties")["weather"] = weather }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := map[string]any{}
			require.NoError(t, json.Unmarshal(text, &doc))
			c.change(at(doc, "components", "schemas"))
			now, err := json.Marshal(doc)
			require.NoError(t, err)
			found, err := Frozen(text, now)
			require.NoError(t, err)
			for i := range found {
				found[i], _, _ = strings.Cut(found[i], " ")
			}
			require.Equal(t, c.found, found)
		})
	}
	_, err = Frozen([]byte("no document"), text)
	require.Error(t, err)
	_, err = Frozen(text, []byte("no document"))
	require.Error(t, err)
}

// at returns an object within a document.
func at(in map[string]any, path ...string) map[string]any {
	for _, name := range path {
		in = in[name].(map[string]any) //nolint:errcheck // the test ends without it
	}
	return in
}

// without takes a text out of a list.
func without(in map[string]any, list, text string) {
	in[list] = slices.DeleteFunc(in[list].([]any), func(v any) bool { return v == text }) //nolint:errcheck // the test ends without it
}

// parameter returns a header of the webhook of a booking.
func parameter(doc map[string]any, name string) map[string]any {
	for _, p := range at(doc, "webhooks", "booking", "post")["parameters"].([]any) { //nolint:errcheck // the test ends without it
		if p := p.(map[string]any); p["name"] == name { //nolint:errcheck // as above
			return p
		}
	}
	return nil
}

func TestTheFilesOfAReleaseAreWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, write(dir))
	text, err := os.ReadFile(filepath.Join(dir, schemaFile))
	require.NoError(t, err)
	require.Empty(t, Breaking(schema(), load(t, string(text))), "the schema as written is the schema")
	require.Error(t, write(filepath.Join(dir, "nowhere")))
}

// oasdiff returns what breaks between two documents.
func oasdiff(t *testing.T, before, now string) string {
	t.Helper()
	program, err := filepath.Abs("../../.bin/oasdiff")
	require.NoError(t, err)
	if _, err := os.Stat(program); err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs .bin/oasdiff: .ci/tools builds it")
		t.Skip("oasdiff is not built: .ci/tools builds it")
	}
	severity, err := filepath.Abs("severity.txt") // a parameter or header that is gone is an error, and a further value of an answer none
	require.NoError(t, err)
	dir := t.TempDir()
	for name, text := range map[string]string{"before.json": before, "now.json": now} {
		answers, err := asAnswers([]byte(text))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), answers, 0o600))
	}
	cmd := exec.CommandContext(t.Context(), program, "breaking", "--fail-on", "ERR", "--flatten-allof", "--severity-levels", severity, "--format", "singleline", "before.json", "now.json")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s", out)
	return string(out)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(released, name))
	require.NoError(t, err)
	return string(text)
}

func load(t *testing.T, text string) *ast.Schema {
	t.Helper()
	s, err := gqlparser.LoadSchema(&ast.Source{Input: text})
	require.NoError(t, err)
	return s
}
