package db

import (
	"fmt"

	"gorm.io/gorm"
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

// NameHasParts narrows to rows whose name, a folded one in a column, has each of these folded words as a part. They are
// the candidates for match.Holds, which wants each word in a word of its own (DECISIONS.md, "Names"): the caller compares
// each of them. No words match nothing, because a query that folds to nothing must not list everybody.
func NameHasParts(name string, words []string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		if len(words) == 0 {
			return q.Where("false")
		}
		for _, w := range words { // each alone: what the trigram index answers
			q = q.Where(name+" like ?", "%"+w+"%")
		}
		return q
	}
}
