package clean_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/clean"
	"rollcall/ingest/value"
	"rollcall/models/snapshot"
)

// closed are the texts of rows that rollcall itself writes, out of a closed set or in a form of its own.
var closed = map[string]bool{"CourtType": true, "Status": true, "Category": true, "Categories": true, "Time": true}

// texts calls each with every text of a row that a source can write, by its path.
func texts(v reflect.Value, path string, each func(path string, text reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			texts(v.Elem(), path, each)
		}
	case reflect.Slice:
		for i := range v.Len() {
			texts(v.Index(i), path, each)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !closed[f.Name] {
				texts(v.Field(i), strings.TrimPrefix(path+"."+f.Name, "."), each)
			}
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() { // types of its own are closed sets
			each(path, v)
		}
	default:
	}
}

// rows returns an empty row of each family with one of each of its parts, and what cleans it.
func rows() map[string]func() (row any, clean func() *clean.Bad) {
	return map[string]func() (any, func() *clean.Bad){
		"roster": func() (any, func() *clean.Bad) {
			r := &snapshot.RosterRow{Charges: make([]snapshot.Charge, 1)}
			return r, func() *clean.Bad { return clean.Roster(r) }
		},
		"imported": func() (any, func() *clean.Bad) {
			r := &snapshot.ImportedBooking{ID: "a-2026-000001", RosterRow: snapshot.RosterRow{Charges: make([]snapshot.Charge, 1)}}
			return &r.RosterRow, func() *clean.Bad { return clean.Imported(r) }
		},
		"courts": func() (any, func() *clean.Bad) {
			r := &snapshot.CourtRow{
				Case: &snapshot.CaseFacts{}, Charges: make([]snapshot.CaseCharge, 1), Hearings: make([]snapshot.HearingFacts, 1),
				Dispositions: make([]snapshot.DispositionFacts, 1), Removed: make([]string, 1),
			}
			return r, func() *clean.Bad { return clean.Court(r) }
		},
		"corrections": func() (any, func() *clean.Bad) {
			r := &snapshot.CorrectionsRow{}
			return r, func() *clean.Bad { return clean.Corrections(r) }
		},
	}
}

func TestNoTextOfAnyFamilyEscapes(t *testing.T) {
	t.Parallel()
	for family, fresh := range rows() {
		probe, _ := fresh()
		var paths []string
		texts(reflect.ValueOf(probe), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
		for _, path := range paths {
			if path == "Photograph" { // an address or the bytes of a picture: no row that is stored has it, and nobody is shown it
				continue
			}
			try := func(text string) (string, *clean.Bad) {
				row, clean := fresh()
				texts(reflect.ValueOf(row), "", func(at string, v reflect.Value) {
					if at == path {
						v.SetString(text)
					}
				})
				bad := clean()
				after := ""
				texts(reflect.ValueOf(row), "", func(at string, v reflect.Value) {
					if at == path {
						after = v.String()
					}
				})
				return after, bad
			}
			after, bad := try(" A\x1b[31m  B\u202e \u009b")
			require.Nil(t, bad, "%s %s", family, path)
			require.Equal(t, "A[31m B", after, "%s %s", family, path)
			if after, bad = try("A 123–45–6789"); bad == nil {
				require.Equal(t, "A ***–**–****", after, "%s %s", family, path)
			} else {
				require.Equal(t, value.NoNumber, bad.Reason, "%s %s", family, path)
			}
			_, bad = try(strings.Repeat("x", 4001))
			require.NotNil(t, bad, "%s %s is bounded", family, path)
			require.Contains(t, bad.Reason, "is longer than", "%s %s", family, path)
			_, bad = try("A\x00")
			require.NotNil(t, bad, "%s %s", family, path)
		}
	}
}

func TestAnIDOfAnotherSystemIsKeptToTheLetterOrRefused(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"odd id", "ben-hill-2025-000007"} {
		require.Nil(t, clean.Imported(&snapshot.ImportedBooking{ID: id}))
		require.Nil(t, clean.Link(&snapshot.ImportedLink{RosterID: id, GDCID: "1"}))
	}
	for _, id := range []string{"a  b", "a\x1b", "123-45-6789"} {
		require.NotNil(t, clean.Imported(&snapshot.ImportedBooking{ID: id}))
		require.NotNil(t, clean.Link(&snapshot.ImportedLink{RosterID: id, GDCID: "1"}))
		require.NotNil(t, clean.Link(&snapshot.ImportedLink{RosterID: "1", GDCID: id}))
	}
}
