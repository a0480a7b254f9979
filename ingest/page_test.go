package ingest_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/mapping"
)

func sourcesPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "sources.md"))
	require.NoError(t, err)
	return string(page)
}

// TestThePageNamesEveryKeyOfADocument walks the types of a document: what can be written in it stands in the code of
// docs/sources.md.
func TestThePageNamesEveryKeyOfADocument(t *testing.T) {
	t.Parallel()
	page := strings.Join(regexp.MustCompile("(?s)```.*?```|`[^`]+`").FindAllString(sourcesPage(t), -1), "\n")
	seen := map[reflect.Type]bool{}
	var missing []string
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(of.Elem())
		case reflect.Struct:
			if seen[of] {
				return
			}
			seen[of] = true
			for f := range of.Fields() {
				if key := f.Tag.Get("yaml"); key != "" && !regexp.MustCompile(`\b`+key+`\b`).MatchString(page) {
					missing = append(missing, of.Name()+"."+key)
				}
				walk(f.Type)
			}
		default:
		}
	}
	walk(reflect.TypeFor[ingest.Source]())
	walk(reflect.TypeFor[mapping.Way]())
	require.Greater(t, len(seen), 15, "the types of a document are found")
	require.Empty(t, missing)
}
