'use strict';
// Tables: sorting by a click on a heading, filtering, and downloads as CSV. Numbers are read from <data value>, which has every digit.

function cellValue(cell) {
  const data = cell.querySelector('data');
  return data ? Number(data.value) : cell.textContent;
}

function exactText(cell) {
  const data = cell.querySelector('data');
  return data ? data.value : cell.textContent;
}

function compareCells(a, b) {
  const empty = (value) => value === '';
  if (empty(a) || empty(b)) return empty(a) - empty(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', {numeric: true});
}

function sortTable(table, column, falling) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, (row, place) => ({row, place, value: cellValue(row.cells[column])}));
  rows.sort((a, b) => {
    const order = compareCells(a.value, b.value);
    const atEnd = a.value === '' || b.value === '';  // empty cells stay last
    return (falling && !atEnd ? -order : order) || a.place - b.place;
  });
  body.append(...rows.map((entry) => entry.row));
  Array.from(table.tHead.rows[0].cells).forEach((cell, k) => {
    if (k === column) cell.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
    else cell.removeAttribute('aria-sort');
  });
}

function makeSortable(table) {
  Array.from(table.tHead.rows[0].cells).forEach((cell, k) => {
    if (cell.textContent === '' || table.tBodies[0].rows.length < 2) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = cell.textContent;
    button.addEventListener('click', () => {
      const sorted = cell.getAttribute('aria-sort');
      sortTable(table, k, sorted ? sorted === 'ascending' : cell.classList.contains('n'));
    });
    cell.replaceChildren(button);
  });
}

function csvField(text) {
  return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

// Every row, whatever the filter hides.
function tableToCsv(table) {
  const rows = [table.tHead.rows[0], ...table.tBodies[0].rows];
  return rows.map((row) => Array.from(row.cells, (cell) => csvField(exactText(cell))).join(',') + '\r\n').join('');
}

function download(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type: 'text/csv;charset=utf-8'}));
  link.download = name + '.csv';
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function filterTable(table, words, count) {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== '');
  let shown = 0;
  for (const row of table.tBodies[0].rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !wanted.every((word) => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  count.textContent = wanted.length ? shown + ' of ' + table.tBodies[0].rows.length : '';
}

// A bar behind each number, as long as its size beside the largest one.
function drawBars(table) {
  const cells = Array.from(table.querySelectorAll('td.bar'));
  const largest = {};
  for (const cell of cells) largest[cell.cellIndex] = Math.max(largest[cell.cellIndex] || 0, Math.abs(cellValue(cell)));
  for (const cell of cells) {
    const value = cellValue(cell);
    cell.style.setProperty('--share', (52 * Math.abs(value) / (largest[cell.cellIndex] || 1)).toFixed(1) + '%');
    if (value < 0) cell.style.setProperty('--side', 'var(--bar-negative)');
  }
}

function addTableControls(place) {
  const table = document.getElementById('table-' + place.dataset.table);
  const rows = table.tBodies[0].rows.length;
  if (rows > 5) {
    const label = document.createElement('label');
    const input = document.createElement('input');
    const count = document.createElement('span');
    input.type = 'search';
    count.setAttribute('aria-live', 'polite');
    label.append('Filter', input);
    input.addEventListener('input', () => filterTable(table, input.value, count));
    place.append(label, count);
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Download CSV';
  button.addEventListener('click', () => download(table.dataset.name, tableToCsv(table)));
  place.append(button);
}

function setUpTables() {
  for (const table of document.querySelectorAll('main table')) {
    makeSortable(table);
    drawBars(table);
  }
  document.querySelectorAll('.controls[data-table]').forEach(addTableControls);
}
