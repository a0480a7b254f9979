package db

import (
	"fmt"
	"strings"

	"gorm.io/gorm"

	"rollcall/models/db/column"
)

// Text returns the statement of a query of GORM and its arguments, without running it: for pgx, which scans
// the rows of a page faster. So a read has one definition, whichever of the two executes it. The query names
// its table and columns (Table, Select); a slice among its arguments is a column.Array.
func Text(q *gorm.DB) (sql string, args []any, err error) {
	built := q.Session(&gorm.Session{DryRun: true}).Find(nil)
	if built.Error != nil {
		return "", nil, fmt.Errorf("build statement: %w", built.Error)
	}
	return built.Statement.SQL.String(), built.Statement.Vars, nil
}

// maxPatterns bounds the word orders that are spelled out as LIKE patterns; longer queries are
// rechecked by the function name_holds.
const maxPatterns = 3

// NameHolds narrows to rows whose name, a folded one in a column, answers a query of these folded words: each
// word must be contained in a word of its own (DECISIONS.md, "Names"). No words match nothing,
// because a query that folds to nothing must not list everybody.
func NameHolds(name string, words []string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		if len(words) == 0 {
			return q.Where("false")
		}
		for _, w := range words { // each alone: what the trigram index answers
			q = q.Where(name+" like ?", "%"+w+"%")
		}
		switch {
		case len(words) == 1:
			return q
		case len(words) <= maxPatterns:
			var ors []string
			var patterns []any
			permute(words, func(p []string) {
				ors = append(ors, name+" like ?")
				patterns = append(patterns, "%"+strings.Join(p, "% %")+"%")
			})
			return q.Where("("+strings.Join(ors, " or ")+")", patterns...)
		}
		return q.Where("name_holds(string_to_array("+name+", ' '), ?)", column.Array[string](words))
	}
}

// permute calls yield with every order of words; the slice is reused.
func permute(words []string, yield func([]string)) {
	p := append([]string(nil), words...)
	var walk func(k int)
	walk = func(k int) {
		if k == len(p) {
			yield(p)
			return
		}
		for i := k; i < len(p); i++ {
			p[k], p[i] = p[i], p[k]
			walk(k + 1)
			p[k], p[i] = p[i], p[k]
		}
	}
	walk(0)
}
