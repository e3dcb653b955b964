// Package report ranks customers and articles and renders a page of text.
package report

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"orderdesk/catalog"
)

// Ledger sums turnover by customer; every worker adds to the same one.
type Ledger struct {
	mutex    sync.Mutex
	turnover map[string]float64
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger { return &Ledger{turnover: map[string]float64{}} }

// Add books one order. It sorts the articles while it holds the lock, which is
// what the mutex and block profiles are there to find.
func (l *Ledger) Add(order *catalog.Order) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	slices.SortFunc(order.Lines, byArticle)
	l.turnover[order.Customer] += order.Total()
}

func byArticle(a, b catalog.Line) int { return strings.Compare(a.Article, b.Article) }

// Best lists the customers with the highest turnover.
func (l *Ledger) Best(count int) []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	customers := make([]string, 0, len(l.turnover))
	for customer := range l.turnover {
		customers = append(customers, customer)
	}
	sort.Slice(customers, func(i, j int) bool {
		return l.turnover[customers[i]] > l.turnover[customers[j]]
	})
	return customers[:min(count, len(customers))]
}

var vowelRuns = regexp.MustCompile(`([aeiou])[^aeiou]*([aeiou])`)

// Render writes one row per order.
func Render(orders []catalog.Order) string {
	var page strings.Builder
	for i := range orders {
		renderRow(&page, &orders[i])
	}
	return page.String()
}

func renderRow(page *strings.Builder, order *catalog.Order) {
	page.WriteString(strconv.Itoa(order.ID))
	page.WriteByte('\t')
	page.WriteString(strings.ToUpper(order.Customer))
	for _, line := range order.Lines {
		page.WriteByte('\t')
		page.WriteString(abbreviate(line.Article))
	}
	page.WriteString(strconv.FormatFloat(order.Total(), 'f', 2, 64))
	page.WriteByte('\n')
}

func abbreviate(article string) string { return vowelRuns.ReplaceAllString(article, "$1-$2") }
