package client_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"rollcall/client"
	"rollcall/rest"
)

// The types are written by hand. Each has exactly the members of its schema, and can hold what a member may be.
func TestTypesAreThoseOfOpenAPI(t *testing.T) {
	t.Parallel()
	text, err := rest.OpenAPI("https://records.example/v1")
	require.NoError(t, err)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	for schema, of := range map[string]any{
		"RosterRecord": client.Booking{}, "RosterDetail": client.BookingDetail{}, "GdcMatch": client.GDCMatch{},
		"CourtCase": client.Case{}, "CourtDetail": client.CaseDetail{}, "Hearing": client.Hearing{}, "Disposition": client.Disposition{},
		"CorrectionsRecord": client.Offender{}, "CorrectionsDetail": client.OffenderDetail{}, "CountyRecord": client.BookingLink{},
		"County": client.County{}, "Source": client.Source{}, "Usage": client.Usage{}, "UsageHour": client.UsageHour{},
		"Alert": client.Alert{}, "NewAlert": client.NewAlert{}, "AlertChange": client.AlertChange{},
		"PreviewRequest": client.PreviewRequest{}, "AlertPreview": client.AlertPreview{}, "AlertYear": client.AlertYear{}, "AlertNarrowing": client.AlertNarrowing{},
		"Hit": client.Hit{}, "Feedback": client.Feedback{},
		"Webhook": client.Webhook{}, "NewWebhook": client.NewWebhook{}, "WebhookChange": client.WebhookChange{},
		"Delivery": client.Delivery{}, "Attempt": client.Attempt{}, "Replay": client.Replay{}, "ReplayResult": client.ReplayResult{},
		"EventRecordV2": client.EventRecord{}, "EventMatch": client.Match{}, "RetractedEvent": client.Retracted{},
	} {
		s := doc.Components.Schemas[schema]
		require.NotNil(t, s, schema)
		want, have := map[string]*openapi3.Schema{}, map[string]reflect.StructField{}
		properties(s.Value, want)
		fields(reflect.TypeOf(of), have)
		require.ElementsMatch(t, names(want), names(have), "%s", schema)
		for name, p := range want {
			holds(t, schema+"."+name, p, have[name], required(s.Value, name))
		}
	}
	event, schemas := map[string]reflect.StructField{}, map[string]*openapi3.Schema{}
	fields(reflect.TypeFor[client.Event](), event)
	for _, one := range []string{"EventV1", "EventV2", "Retraction", "SealedNotice", "SourceNotice"} {
		properties(doc.Components.Schemas[one].Value, schemas)
	}
	require.ElementsMatch(t, names(schemas), names(event), "one type for all events")
}

// holds checks that a field can hold every value of a member.
func holds(t *testing.T, at string, p *openapi3.Schema, f reflect.StructField, always bool) {
	t.Helper()
	typ, nullable := f.Type, p.PermitsNull()
	if one := p.OneOf; len(one) == 2 {
		p, nullable = one[0].Value, true
	}
	switch {
	case strings.HasPrefix(typ.Name(), "Change["): // may be null, and is what Set takes
		return
	case typ.Kind() == reflect.Pointer:
		typ = typ.Elem()
	case nullable && always:
		t.Errorf("%s may be null, and its type cannot", at)
	}
	want := map[string][]reflect.Kind{
		"string": {reflect.String, reflect.Struct}, "integer": {reflect.Int}, "number": {reflect.Float64},
		"boolean": {reflect.Bool}, "array": {reflect.Slice}, "object": {reflect.Struct},
	}
	for kind, kinds := range want {
		if p.Type.Includes(kind) && !slices.Contains(kinds, typ.Kind()) {
			t.Errorf("%s is of %s, and its type is %s", at, kind, typ)
		}
	}
}

// properties collects the members of a schema, with those that it is made of.
func properties(s *openapi3.Schema, into map[string]*openapi3.Schema) {
	for name, p := range s.Properties {
		into[name] = p.Value
	}
	for _, part := range s.AllOf {
		properties(part.Value, into)
	}
}

// required reports whether a member is always there.
func required(s *openapi3.Schema, name string) bool {
	if slices.Contains(s.Required, name) {
		return true
	}
	return slices.ContainsFunc(s.AllOf, func(part *openapi3.SchemaRef) bool { return required(part.Value, name) })
}

// fields collects the fields of a type by their names in JSON, with those of embedded types.
func fields(typ reflect.Type, into map[string]reflect.StructField) {
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case f.Anonymous:
			fields(f.Type, into)
		default:
			into[name] = f
		}
	}
}

// names returns the keys of a map.
func names[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	return out
}
