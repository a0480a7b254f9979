package migrations

import (
	"fmt"
	"regexp"
	"strconv"
)

// County is a row that 0013_reference.sql writes.
type County struct {
	ID   int16
	Slug string
	Name string
	FIPS string
}

var countyRow = regexp.MustCompile(`\((\d+), '([a-z-]+)', '([^']+)', '(\d{5})'\)`)

// Counties gives the counties of Georgia as the schema has them, for code that runs without a database.
func Counties() ([]County, error) {
	text, err := files.ReadFile("0013_reference.sql")
	if err != nil {
		return nil, fmt.Errorf("read counties: %w", err)
	}
	var all []County
	for _, m := range countyRow.FindAllSubmatch(text, -1) {
		id, err := strconv.ParseInt(string(m[1]), 10, 16)
		if err != nil {
			return nil, fmt.Errorf("read counties: %w", err)
		}
		all = append(all, County{ID: int16(id), Slug: string(m[2]), Name: string(m[3]), FIPS: string(m[4])})
	}
	return all, nil
}
